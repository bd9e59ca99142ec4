-- The issuer of an identity: a subject is unique within its issuer only (OpenID Connect Core, section 2). Null: a password, or
-- an identity that was linked before this was kept; the next sign-in with it fills the column in.
ALTER TABLE "account_login" ADD COLUMN "issuer" TEXT;
