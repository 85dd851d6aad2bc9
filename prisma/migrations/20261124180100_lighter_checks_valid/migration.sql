-- The rows that are there already.
ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_limits_in_range";
ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_counters_not_negative";
ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_id_length";
ALTER TABLE "key_route" VALIDATE CONSTRAINT "key_route_key_id_form";
ALTER TABLE "authorization" VALIDATE CONSTRAINT "authorization_id_form";
ALTER TABLE "event" VALIDATE CONSTRAINT "event_id_form";
ALTER TABLE "refusal" VALIDATE CONSTRAINT "refusal_id_form";
