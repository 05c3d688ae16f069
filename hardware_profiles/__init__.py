"""The hardware profiles that come with the studio, one file per machine; see docs/profiles.md."""
