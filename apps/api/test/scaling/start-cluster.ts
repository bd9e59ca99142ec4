// Processes of the service on one database behind a real nginx: to a client, one service.
import { findFreePort } from '@muster/database/testing';
import type { ServiceProcess } from '../start-service-process.ts';
import { startServiceProcess } from '../start-service-process.ts';
import { startNginx } from './start-nginx.ts';

export type Cluster = {
  /** That of nginx. */
  baseUrl: string;
  /** May change while a test runs. */
  services: ServiceProcess[];
  /** Ends one process as told and starts another one in its place. */
  replace(index: number, end: (service: ServiceProcess) => Promise<unknown>): Promise<void>;
  /** What nginx and the processes have written to their logs of errors. */
  readErrors(): Promise<string>;
  /** Resolves with the exit codes of the processes. */
  stop(): Promise<(number | null)[]>;
};

const PROCESSES = 3;

export const startCluster = async (environment: Record<string, string>): Promise<Cluster> => {
  const ports = await Promise.all(Array.from({ length: PROCESSES }, findFreePort));
  const start = (port: number) =>
    startServiceProcess({ ...environment, PORT: String(port), TRUST_PROXY: '1' });
  const services = await Promise.all(ports.map(start));
  const nginx = await startNginx(ports);
  return {
    ...{ baseUrl: nginx.baseUrl, services },
    replace: async (index, end) => {
      const [service, port] = [services[index], ports[index]];
      if (!service || port === undefined) throw new Error(`There is no process ${index}.`);
      await end(service);
      services[index] = await start(port);
    },
    readErrors: async () =>
      [await nginx.readErrors(), ...services.map((service) => service.readErrors())].join('\n'),
    stop: async () => {
      const codes = await Promise.all(services.map((service) => service.stop()));
      await nginx.stop();
      return codes;
    },
  };
};
