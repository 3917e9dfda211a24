DROP INDEX "folders_user_name_idx";--> statement-breakpoint
CREATE INDEX "folders_user_idx" ON "folders" USING btree ("user_id","id") WHERE "folders"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "folders" DROP COLUMN "sort_name";