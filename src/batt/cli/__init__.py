"""The command `batt`: one file per subcommand."""
