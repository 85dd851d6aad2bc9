/**
 * The tables of the reference server, in a schema of their own beside the product's: what its answers need, and no
 * index but the primary keys and the two that a history is read by. Pages have room for counters that change in place.
 */
export const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS reference;
  CREATE TABLE IF NOT EXISTS reference.key (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL,
    apikey_id text NOT NULL,
    name text NOT NULL,
    group_id text,
    budget numeric,
    expiry_date date,
    daily_limit numeric,
    monthly_limit numeric,
    input_price_limit numeric,
    output_price_limit numeric,
    created_at timestamptz NOT NULL DEFAULT now(),
    spent numeric NOT NULL DEFAULT 0,
    held numeric NOT NULL DEFAULT 0
  ) WITH (fillfactor = 70);
  CREATE TABLE IF NOT EXISTS reference.secret (
    hash bytea PRIMARY KEY,
    account_id text NOT NULL,
    key_id bigint NOT NULL
  );
  CREATE TABLE IF NOT EXISTS reference.event (
    id bigint GENERATED ALWAYS AS IDENTITY,
    account_id text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    address text NOT NULL,
    action text NOT NULL,
    key_id bigint NOT NULL,
    after jsonb NOT NULL,
    PRIMARY KEY (account_id, id)
  );
  CREATE INDEX IF NOT EXISTS event_of_key ON reference.event (key_id);
  CREATE TABLE IF NOT EXISTS reference.authorization (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id bigint NOT NULL,
    amount numeric NOT NULL,
    day date NOT NULL,
    expires_at timestamptz NOT NULL,
    captured numeric
  ) WITH (fillfactor = 70);
  CREATE TABLE IF NOT EXISTS reference.ledger (
    authorization_id bigint NOT NULL,
    key_id bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    day date NOT NULL,
    amount numeric NOT NULL
  );
  CREATE TABLE IF NOT EXISTS reference.key_day (
    key_id bigint NOT NULL,
    day date NOT NULL,
    spent numeric NOT NULL,
    captures int NOT NULL,
    PRIMARY KEY (key_id, day)
  ) WITH (fillfactor = 70);
`;
