// The page around Swagger UI. Scripts, styles and requests come from and go to this service only.

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: Record<string, string> = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** `libraryVersion` makes the addresses of the library's files change with it. */
export const writePage = (libraryVersion: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Muster API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/assets/${libraryVersion}/swagger-ui.css">
    <link rel="stylesheet" href="/docs/assets/docs.css">
  </head>
  <body>
    <header class="documents">
      <strong>Muster API</strong>
      <nav aria-label="Documents">
        <a href="/openapi.json">OpenAPI 3.1</a>
        <a href="/openapi-3.0.json">OpenAPI 3.0</a>
      </nav>
    </header>
    <main id="api"><noscript>This page needs JavaScript; the documents above do not.</noscript></main>
    <script src="/docs/assets/${libraryVersion}/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/docs.js"></script>
  </body>
</html>
`;
