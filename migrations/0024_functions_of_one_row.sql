-- The planner expects 1,000 rows of a function that does not say otherwise, and then reads all products to take the pieces of one.
ALTER FUNCTION "own_price_of"(text, uuid, integer) ROWS 1;--> statement-breakpoint
ALTER FUNCTION "buyer_holds"(text, integer, text) ROWS 1;
