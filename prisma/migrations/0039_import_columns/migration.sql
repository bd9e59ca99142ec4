-- By kind, the field that received each column of the newest imported file that was mapped.
ALTER TABLE "sandbox" ADD COLUMN "import_columns" JSONB NOT NULL DEFAULT '{}';
