-- Joins find seats by session and player. While the table is small, an index that merely contains the session looks as good as the
-- primary key to the planner, and a plan that is kept would go on reading all of it: of two seats that were taken in
-- the same millisecond, the list of a player's seats sorts by itself.
DROP INDEX "session_seat_of_player";
CREATE INDEX "session_seat_of_player" ON "session_seat" ("player_uuid", "seated_at" DESC);

-- Each join moves the version of its session. With room on the page, the new row needs no entry in any index.
ALTER TABLE "session" SET (fillfactor = 70);

-- A foreign key to the team locked the row of the team, a write of its own, for each seat. That the team exists is part of the version
-- that each write of a seat checks, under the lock of the session, which this key finds locked already.
ALTER TABLE "session_seat"
  DROP CONSTRAINT "session_seat_session_key_team_id_fkey",
  ADD CONSTRAINT "session_seat_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE CASCADE;
