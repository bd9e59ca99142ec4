-- Sessions for people: lives per session type, absence marks, and what lists, timelines and the sweeper read.

-- Lives in seconds; NULL, the default: for ever. One life for both kinds of held seats becomes one each.
ALTER TABLE "session_type"
  ADD COLUMN "invitation_ttl_seconds" INTEGER,
  ADD COLUMN "reservation_ttl_seconds" INTEGER,
  ADD COLUMN "absent_ttl_seconds" INTEGER,
  ADD COLUMN "ended_retention_seconds" INTEGER;
UPDATE "session_type"
  SET "invitation_ttl_seconds" = "held_seat_ttl_seconds", "reservation_ttl_seconds" = "held_seat_ttl_seconds"
  WHERE "held_seat_ttl_seconds" IS NOT NULL;
-- Its CHECK goes with it.
ALTER TABLE "session_type" DROP COLUMN "held_seat_ttl_seconds";
ALTER TABLE "session_type"
  ADD CONSTRAINT "session_type_lives_are_positive" CHECK (
    "invitation_ttl_seconds" > 0 AND "reservation_ttl_seconds" > 0
    AND "absent_ttl_seconds" > 0 AND "ended_retention_seconds" > 0);

-- Only who has arrived can be absent.
ALTER TABLE "session_seat" ADD COLUMN "absent_since" TIMESTAMPTZ(3);
ALTER TABLE "session_seat"
  ADD CONSTRAINT "session_seat_absent_is_seated" CHECK ("absent_since" IS NULL OR "status" IN ('leader', 'member'));

-- Invitations end with their session, as the service sees to from now on: the index below holds no dead seats.
DELETE FROM "session_seat" p USING "session" s
  WHERE s."session_key" = p."session_key" AND s."ended_at" IS NOT NULL AND p."status" IN ('invited', 'reserved');

-- The admin lists show live sessions or ended ones, newest first, of all types or one. However many of the other
-- kind there are, none is read. Each ends in the keyset.
DROP INDEX "session_newest";
DROP INDEX "session_newest_of_type";
CREATE INDEX "session_live_newest" ON "session" ("created_at" DESC, "session_key") WHERE "ended_at" IS NULL;
CREATE INDEX "session_live_newest_of_type" ON "session" ("type", "created_at" DESC, "session_key") WHERE "ended_at" IS NULL;
CREATE INDEX "session_ended_newest" ON "session" ("created_at" DESC, "session_key") WHERE "ended_at" IS NOT NULL;
CREATE INDEX "session_ended_newest_of_type" ON "session" ("type", "created_at" DESC, "session_key") WHERE "ended_at" IS NOT NULL;

-- The sweeper: held seats and absent players by age, ended sessions of a type by age.
CREATE INDEX "session_seat_held" ON "session_seat" ("invited_at", "session_key", "player_uuid") WHERE "status" IN ('invited', 'reserved');
CREATE INDEX "session_seat_absent" ON "session_seat" ("absent_since", "session_key", "player_uuid") WHERE "absent_since" IS NOT NULL;
CREATE INDEX "session_ended_of_type" ON "session" ("type", "ended_at") WHERE "ended_at" IS NOT NULL;

-- The page of one player: seats, newest first, ending in the keyset; and the timeline over all sessions.
DROP INDEX "session_seat_of_player";
CREATE INDEX "session_seat_of_player" ON "session_seat"("player_uuid", "seated_at" DESC, "session_key");
CREATE INDEX "session_event_of_player" ON "session_event" ("player_uuid", "event_id") WHERE "player_uuid" IS NOT NULL;

-- The list of players: newest first, ending in the keyset.
CREATE INDEX "player_newest" ON "player"("registered_at" DESC, "player_uuid");
