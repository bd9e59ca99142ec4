-- Keys never change, and foreign keys no longer promise to follow them: Citus refuses ON UPDATE CASCADE where a key
-- is what a table is distributed by, and the same schema is to run there. PostgreSQL reads each table once to check it again.

-- DropForeignKey
ALTER TABLE "catalogue_name" DROP CONSTRAINT "catalogue_name_sandbox_id_kind_record_id_fkey";

-- DropForeignKey
ALTER TABLE "catalogue_record" DROP CONSTRAINT "catalogue_record_sandbox_id_fkey";

-- DropForeignKey
ALTER TABLE "catalogue_version" DROP CONSTRAINT "catalogue_version_sandbox_id_kind_record_id_fkey";

-- DropForeignKey
ALTER TABLE "session_event" DROP CONSTRAINT "session_event_session_key_fkey";

-- DropForeignKey
ALTER TABLE "session_platform_session" DROP CONSTRAINT "session_platform_session_session_key_fkey";

-- DropForeignKey
ALTER TABLE "session_seat" DROP CONSTRAINT "session_seat_session_key_fkey";

-- DropForeignKey
ALTER TABLE "session_team" DROP CONSTRAINT "session_team_session_key_fkey";

-- AddForeignKey
ALTER TABLE "session_team" ADD CONSTRAINT "session_team_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "session_seat" ADD CONSTRAINT "session_seat_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "session_platform_session" ADD CONSTRAINT "session_platform_session_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "session_event" ADD CONSTRAINT "session_event_session_key_fkey" FOREIGN KEY ("session_key") REFERENCES "session"("session_key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "catalogue_record" ADD CONSTRAINT "catalogue_record_sandbox_id_fkey" FOREIGN KEY ("sandbox_id") REFERENCES "sandbox"("sandbox_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "catalogue_name" ADD CONSTRAINT "catalogue_name_sandbox_id_kind_record_id_fkey" FOREIGN KEY ("sandbox_id", "kind", "record_id") REFERENCES "catalogue_record"("sandbox_id", "kind", "record_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "catalogue_version" ADD CONSTRAINT "catalogue_version_sandbox_id_kind_record_id_fkey" FOREIGN KEY ("sandbox_id", "kind", "record_id") REFERENCES "catalogue_record"("sandbox_id", "kind", "record_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
