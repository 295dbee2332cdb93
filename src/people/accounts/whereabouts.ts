import type { FastifyRequest } from 'fastify';
import type { UserPrincipal } from '#api';
import { network } from '#platform/network.ts';
import type { OwnSession, Whereabouts } from './account.service.ts';
import type { DeviceService } from './device.ts';

/** The source of a request without a session. */
export function whereabouts(request: FastifyRequest, devices: DeviceService): Whereabouts {
  return {
    address: request.ip,
    source: network(request.ip),
    known: devices.isKnown(request),
    deviceFor: (userId) => devices.knownFor(request, userId),
  };
}

export function ownSession({ userId, sessionId = '' }: UserPrincipal, request: FastifyRequest): OwnSession {
  return { userId, sessionId, source: network(request.ip), known: true };
}
