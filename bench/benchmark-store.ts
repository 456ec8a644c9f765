import { type StoreProcess, startStoreProcess } from '#test/store-process.ts'

const admin = { email: 'owner@store.example', password: 'the owner has a key' }

export type BenchmarkStore = StoreProcess & { address: string /** until it was open */; startSeconds: number }
type CallApi = <Answer>(method: string, call: string, body?: unknown) => Promise<Answer>

/** Starts the built store, without limits for buyers since the load is one account's, and waits until it is open. */
export async function startBenchmarkStore(settings: Record<string, string>): Promise<BenchmarkStore> {
  const from = performance.now()
  const store = startStoreProcess(
    { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error', BUYER_LIMITS: 'off', ...settings },
    { quickPasswords: false },
  )
  const address = await store.ready
  return { ...store, address, startSeconds: (performance.now() - from) / 1000 }
}

const callerOf =
  (address: string, token?: string): CallApi =>
  async (method, call, body) => {
    const headers = {
      origin: address,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${address}/api${call}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${call}: ${await answer.text()}`)
    return answer.json()
  }

/** @returns the account's access token */
async function enter(address: string, way: 'sign-in' | 'sign-up', account: { email: string; password: string; name?: string }) {
  const provided = await callerOf(address)<{ token: string }>('POST', `/auth/${way}/email`, account)
  return (await callerOf(address, provided.token)<{ token: string }>('PUT', `/user/${account.email}`, {})).token
}

/** @returns the admin's access token, and how the admin calls */
export async function signInAsAdmin(address: string): Promise<{ token: string; ask: CallApi }> {
  const token = await enter(address, 'sign-in', admin)
  return { token, ask: callerOf(address, token) }
}

/** @returns the access tokens of so many new customers */
export async function registerCustomers(address: string, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let nth = 1; nth <= count; nth++)
    tokens.push(await enter(address, 'sign-up', { name: 'Ada', email: `buyer${nth}@shop.example`, password: admin.password }))
  return tokens
}
