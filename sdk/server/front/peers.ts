import { loaded } from '../peers.js';

export const FRONT_PACKAGES = 'fastify @fastify/swagger @fastify/rate-limit prom-client';

/** The optional packages of the front. */
export const loadFastify = () => loaded('fastify', () => import('fastify'), FRONT_PACKAGES);
export const loadSwagger = () => loaded('@fastify/swagger', () => import('@fastify/swagger'), FRONT_PACKAGES);
export const loadRateLimit = () => loaded('@fastify/rate-limit', () => import('@fastify/rate-limit'), FRONT_PACKAGES);
export const loadPrometheus = () => loaded('prom-client', () => import('prom-client'), FRONT_PACKAGES);
