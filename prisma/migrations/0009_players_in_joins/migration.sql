-- Joins look a player up by the primary key. An index that also holds the key looks as good to the planner while the table is empty, and
-- a plan that is kept would go on reading all of it: of players who were registered in the same millisecond, the list sorts by itself.
DROP INDEX "player_newest";
CREATE INDEX "player_newest" ON "player" ("registered_at" DESC);
