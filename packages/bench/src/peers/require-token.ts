// The token check of the peers: jose on every request, as its documentation shows.
import type { RequestHandler } from 'express';
import { jwtVerify } from 'jose';

export const requireToken = (secret: string): RequestHandler => {
  const key = new TextEncoder().encode(secret);
  return async (request, response, next) => {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const verified = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch(() => null);
    if (!verified) {
      response.status(403).json({ auth_success: false, error_code: 'auth_token_sig_invalid' });
      return;
    }
    response.locals.claims = verified.payload;
    next();
  };
};
