import { recoverySeconds, waitWithin } from './store-cluster.ts'

export type ShopperResponse = { status: number; body: string; afterMs: number }
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Shopper = ReturnType<typeof openShopper>

let shoppers = 0

/**
 * A browser at a store process, with its cookies: of a visitor, or with the access token of an account.
 * @param from the address that it comes from, where the store trusts a proxy: each its own unless said otherwise
 */
export function openShopper(origin: string, token?: string, from = `10.77.${(++shoppers >> 8) & 255}.${shoppers & 255}`) {
  const jar = new Map<string, string>()

  /** @throws when the store does not answer */
  async function request(method: Method, path: string, body?: object): Promise<ShopperResponse> {
    const began = performance.now()
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        'x-forwarded-for': from,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    return { status: answer.status, body: await answer.text(), afterMs: performance.now() - began }
  }

  /** Asks again, as people do, as long as the store does not answer or says that it cannot at the moment. */
  const insist = (method: Method, path: string, body?: object): Promise<ShopperResponse> =>
    waitWithin(recoverySeconds, `${method} ${path} is answered`, async () => {
      const answer = await request(method, path, body).catch(() => undefined)
      return answer?.status === 503 ? undefined : answer
    })

  return { jar, request, insist }
}
