-- Why the change of an operation could not be computed for its record. A set with such an operation cannot be applied.

ALTER TABLE "change_set_operation" ADD COLUMN "problem" TEXT;
