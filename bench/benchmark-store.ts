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

/** @returns the admin's token, and how the admin calls */
export async function signInAsAdmin(address: string): Promise<{ token: string; ask: CallApi }> {
  const askWith =
    (token?: string): CallApi =>
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
  const stranger = askWith()
  const provided = await stranger<{ token: string }>('POST', '/auth/sign-in/email', admin)
  const { token } = await askWith(provided.token)<{ token: string }>('PUT', `/user/${admin.email}`, {})
  return { token, ask: askWith(token) }
}
