"""Every chart once, as an Altair chart, pure."""
