"""The example studies that come with the studio: ``index.yaml`` lists them, one file holds each; see docs/examples.md."""
