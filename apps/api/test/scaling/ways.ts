// The ways in which several processes serve one database. Whatever the way, they are to behave as one service.
import { startServiceProcess } from '../start-service-process.ts';
import { startCluster } from './start-cluster.ts';

export type RunningWay = {
  /** To be asked in turn. */
  baseUrls: readonly string[];
  /** Resolves with the exit codes, all 0 in the end. */
  stop(): Promise<(number | null)[]>;
};

export type Way = {
  name: string;
  start(environment: Record<string, string>): Promise<RunningWay>;
  /** How much of a long test is enough here, since the others have seen the rest: 1 is all of it. */
  share: number;
};

export const WAYS: readonly Way[] = [
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
