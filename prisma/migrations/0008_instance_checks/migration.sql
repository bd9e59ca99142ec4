-- Each join moves the version of its session, and a CHECK is evaluated whenever its row changes: these three parsed the instance anew for
-- every join. A trigger on the column holds the same bounds where the instance itself is written.
ALTER TABLE "session"
  DROP CONSTRAINT "session_instance_join_status",
  DROP CONSTRAINT "session_instance_host_type",
  DROP CONSTRAINT "session_instance_health";

CREATE FUNCTION "session_check_instance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT coalesce(
    NEW."instance" ->> 'join_status' IN ('requested', 'allocated', 'pending', 'joinable', 'unjoinable', 'closed'), true
  ) THEN
    RAISE check_violation USING CONSTRAINT = 'session_instance_join_status', TABLE = 'session',
      MESSAGE = 'instance.join_status of a session is unknown';
  END IF;
  IF NOT coalesce(NEW."instance" ->> 'host_type' IN ('dedicated', 'player', 'preallocated'), true) THEN
    RAISE check_violation USING CONSTRAINT = 'session_instance_host_type', TABLE = 'session',
      MESSAGE = 'instance.host_type of a session is unknown';
  END IF;
  IF NOT coalesce(NEW."instance" ->> 'instance_health' IN ('healthy', 'unhealthy', 'degraded', 'unknown'), true) THEN
    RAISE check_violation USING CONSTRAINT = 'session_instance_health', TABLE = 'session',
      MESSAGE = 'instance.instance_health of a session is unknown';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "session_check_instance" BEFORE INSERT OR UPDATE OF "instance" ON "session"
  FOR EACH ROW EXECUTE FUNCTION "session_check_instance"();

-- As a CHECK would, it holds for what replication and restores write, too.
ALTER TABLE "session" ENABLE ALWAYS TRIGGER "session_check_instance";
