// The policy of the page allows only styles that carry its nonce.

declare global {
  /** Read by get-nonce, through which the scroll lock of dialogs makes its style. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce that the service wrote into this page. */
export const readStyleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

globalThis.__webpack_nonce__ = readStyleNonce();
