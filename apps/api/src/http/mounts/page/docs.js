// Starts Swagger UI on the document of this service, in the colours that the reader's system prefers.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
applyColours();
dark.addEventListener('change', applyColours);

const { searchParams } = new URL(window.location.href);
const api = searchParams.get('api');
const isAdmin = api === 'admin';
const DOCUMENTS = new Map([
  ['admin', '/admin/openapi.json'],
  ['companion', '/openapi-companion.json'],
]);

// The token that a reader pastes is kept by the page alone and is gone with it.
window.SwaggerUIBundle({
  url: DOCUMENTS.get(api) ?? '/openapi.json',
  docExpansion: isAdmin ? 'none' : 'list',
  dom_id: '#api',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
