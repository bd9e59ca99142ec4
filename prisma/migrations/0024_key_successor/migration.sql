-- The key that a rotation put in the place of another. The overlap cuts the life of the old one short, so that the life of a
-- further key follows from its successor. Null: not rotated, or before this was kept.
ALTER TABLE "service_key" ADD COLUMN "successor_id" UUID;
