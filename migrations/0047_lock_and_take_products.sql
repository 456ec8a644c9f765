-- The statement that places an order calls these. Under contention for a product it would otherwise evaluate its own plan, which is large, once
-- more for the lock and once more for the update, while the others wait for the lock: half as many orders a second. The statements of a
-- volatile function have snapshots of their own, so the update finds the row as it was locked. PL/pgSQL keeps their plans in every version.

CREATE FUNCTION lock_products(ids uuid[]) RETURNS SETOF tools LANGUAGE plpgsql VOLATILE ROWS 10 AS $$
BEGIN
  RETURN QUERY SELECT * FROM tools WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
END $$;
--> statement-breakpoint
CREATE FUNCTION take_pieces(ids uuid[], quantities integer[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE tools SET available_quantity = available_quantity - quantity
  FROM unnest(ids, quantities) AS taken (id, quantity) WHERE tools.id = taken.id;
END $$;
