# Run once by the image of PostgreSQL, on an empty volume: the two roles of docs/decisions/database-roles.md. The superuser of the
# image is for the operator alone. An image that does not find this file executable reads it into its own shell.
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --set password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE allowance_owner LOGIN PASSWORD :'password';
CREATE ROLE allowance_service LOGIN PASSWORD :'password';
CREATE DATABASE allowance OWNER allowance_owner;
SQL
