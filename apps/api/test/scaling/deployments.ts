// The ways to run several processes on one database. In all of them they behave as one service.

import { IS_FULL_SIZE } from '@muster/database/testing';
import { startServiceProcess } from '../service-process.ts';
import { startCluster } from './nginx-cluster.ts';

export type RunningDeployment = {
  /** The base URLs, used in turn. */
  baseUrls: readonly string[];
  /** Resolves with the exit codes, all 0 in the end. */
  stop(): Promise<(number | null)[]>;
};

export type Deployment = {
  name: string;
  start(environment: Record<string, string>): Promise<RunningDeployment>;
  /** The fraction of a long test that runs here, since the other deployments run the remaining part: 1 is all of it. */
  share: number;
};

const ALL: readonly Deployment[] = [
  {
    name: 'three processes',
    share: 1,
    start: async (environment) => {
      const services = await Promise.all([1, 2, 3].map(() => startServiceProcess(environment)));
      return {
        baseUrls: services.map(({ baseUrl }) => baseUrl),
        stop: () => Promise.all(services.map((service) => service.stop())),
      };
    },
  },
  {
    name: 'three processes behind nginx',
    share: 0.25,
    start: async (environment) => {
      const { baseUrl, stop } = await startCluster(environment);
      return { baseUrls: [baseUrl], stop };
    },
  },
  {
    name: 'three workers on one port',
    share: 0.25,
    start: async (environment) => {
      const service = await startServiceProcess({ ...environment, WORKERS: '3' });
      return { baseUrls: [service.baseUrl], stop: async () => [await service.stop()] };
    },
  },
];

/** In every run, a tenth on the deployment that needs nothing but Node.js; all of them in the proofs. */
export const DEPLOYMENTS = IS_FULL_SIZE
  ? ALL
  : ALL.slice(0, 1).map((one) => ({ ...one, share: 0.1 }));
