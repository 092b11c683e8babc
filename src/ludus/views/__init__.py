"""Everything that people see: charts, boards, the report, videos."""
