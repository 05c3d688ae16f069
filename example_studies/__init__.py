"""The example studies that come with the studio: ``index.yaml`` lists them, a file for each; see docs/examples.md."""
