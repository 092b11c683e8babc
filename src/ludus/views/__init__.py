"""What people see: charts, boards, pages, videos."""
