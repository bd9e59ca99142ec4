// The variables of OpenTelemetry that decide whether and what is traced. Its libraries read the others, such as the headers, by themselves:
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
import { z } from 'zod';
import { isWebUrl } from './web-url.ts';

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
const KNOWN = [...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)];

/** The libraries would take another one for none, and send to the default without a word. */
const endpoint = (name: string) =>
  z
    .string()
    .refine(isWebUrl, {
      error: `${name} must be a URL that starts with http:// or https://.`,
    })
    .optional();

export const TracingEnvironment = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint('OTEL_EXPORTER_OTLP_ENDPOINT'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(KNOWN, { error: `OTEL_TRACES_SAMPLER must be one of ${KNOWN.join(', ')}.` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, 'OTEL_TRACES_SAMPLER_ARG must be a ratio from 0 to 1.')
    .default('1')
    .transform(Number),
  OTEL_BSP_SCHEDULE_DELAY: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'OTEL_BSP_SCHEDULE_DELAY must be a number of milliseconds.')
    .default('5000')
    .transform(Number),
});

export type TracingConfig = { sampler: string; ratio: number; scheduleDelayMs: number };

/** Absent: nothing is traced. */
export const findTracing = (env: z.infer<typeof TracingEnvironment>): TracingConfig | undefined => {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isOff) return undefined;
  return {
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    scheduleDelayMs: env.OTEL_BSP_SCHEDULE_DELAY,
  };
};
