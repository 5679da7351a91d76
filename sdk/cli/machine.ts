import { availableParallelism, cpus } from 'node:os';

/** The machine, as far as it decides how fast Pippin is. */
export interface MachineFacts {
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
}

export function machineFacts(): MachineFacts {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
    cores: availableParallelism(),
  };
}

export function machineText(): string {
  const { node, platform, cpu, cores } = machineFacts();
  return `${cpu}, ${cores} threads, Node ${node} on ${platform}`;
}
