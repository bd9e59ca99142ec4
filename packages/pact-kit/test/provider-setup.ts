// One service for all test files: each interaction has ids of its own, so that they do not meet.
import type { TestProject } from 'vitest/node';
import { startEmbeddedProvider } from '../src/provider/provider.ts';

declare module 'vitest' {
  interface ProvidedContext {
    provider: { url: string; secret: string };
  }
}

export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const { url, secret, stop } = await startEmbeddedProvider();
  provide('provider', { url, secret });
  return stop;
};
