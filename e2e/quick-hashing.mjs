import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * Makes the hash of a password cheap, in the process that imports this. better-auth makes it slow on purpose: a tenth of a
 * second of processor time for each sign-in, of which the tests have a thousand. Everything else about a password is as in
 * the product. A hash of one cost is wrong at another one, so the tests and what they start have the same.
 * `rest/ship.spec.ts` signs in without this.
 */
const { scrypt } = crypto;
crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { ...options, N: 2 }, done);
syncBuiltinESMExports();
