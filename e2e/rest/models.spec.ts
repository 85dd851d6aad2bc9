import { beforeEach, describe, expect, test } from "vitest";
import { createAccountId } from "./account-id";
