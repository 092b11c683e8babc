"""What people see: charts, boards, the report, videos."""
