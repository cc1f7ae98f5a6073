"""Files of records: JSON lines, CSV and Parquet, read and written one record at a time."""
