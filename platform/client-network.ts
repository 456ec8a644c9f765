import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/** One reverse proxy: entries of X-Forwarded-For further left than the one that it has added may have been forged by the client. */
export const trustOneProxy = (_address: string, hop: number): boolean => hop < 1

/** The address of a client, the same as Fastify's `request.ip`, for a request that has not reached Fastify. */
export const clientAddress = (request: IncomingMessage, trustProxy: boolean): string =>
  (trustProxy ? proxyAddr(request, trustOneProxy) : request.socket.remoteAddress) ?? ''

/** The network of a client address, as a rate limit key: the /64 of an IPv6 address, as a customer typically has a whole /64. */
export const clientNetwork = (address: string): string => clientNetworks(address)[0].network

/** The widest network that one customer may have: the /48 of an IPv6 address. Clients take turns by it, so that nobody has many turns. */
export const widestClientNetwork = (address: string): string => clientNetworks(address).at(-1)?.network ?? address

type ClientNetwork = { network: string; factor: number }

/**
 * The networks that an address counts for, narrowest first, and how many times the limit of the narrowest is allowed in each. An IPv6 address
 * counts for its /64, and for the /56 and the /48 around it: a provider gives a customer a /56 or a /48, so whoever attacks has at least
 * 256 /64s.
 * @param address as a socket or a proxy writes it: also in brackets, with a port, or an IPv4 address written as IPv6
 */
export function clientNetworks(address: string): [ClientNetwork, ...ClientNetwork[]] {
  const groups = ipv6Groups(withoutPort(address))
  if (!groups) return [{ network: withoutPort(address), factor: 1 }]
  const ipv4 = embeddedIpv4(groups)
  if (ipv4) return [{ network: ipv4, factor: 1 }]
  const [first = 0, second = 0, third = 0, fourth = 0] = groups
  const prefix = (bits: number, ...parts: number[]) => `${parts.map((part) => part.toString(16)).join(':')}::/${bits}`
  return [
    { network: prefix(64, first, second, third, fourth), factor: 1 },
    { network: prefix(56, first, second, third, fourth & 0xff00), factor: 4 },
    { network: prefix(48, first, second, third), factor: 16 },
  ]
}

/** Some proxies write `192.0.2.7:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address

/** @returns the eight groups of 16 bits, or undefined if this is no IPv6 address */
function ipv6Groups(address: string): number[] | undefined {
  const plain = address.replace(/%.*$/, '') // the zone
  if (!net.isIPv6(plain)) return undefined
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1) // lower case, in hexadecimal, with the longest run of zeros as `::`
  const [head = [], tail] = canonical.split('::').map((part) => (part ? part.split(':') : []))
  const all = tail ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head
  return all.map((group) => Number.parseInt(group, 16))
}

const ipv4Prefixes = [
  [0, 0, 0, 0, 0, 0xffff], // mapped: an IPv4 connection to a socket that listens on both
  [0x64, 0xff9b, 0, 0, 0, 0], // NAT64 (RFC 6052)
]

function embeddedIpv4(groups: number[]): string | undefined {
  if (!ipv4Prefixes.some((prefix) => prefix.every((group, place) => groups[place] === group))) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}
