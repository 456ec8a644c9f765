import type { Adapter, AdapterPayload } from 'oidc-provider'

type StoredEntry = { payload: AdapterPayload; endsAt: number }

/** In-memory storage for codes, tokens and sessions until they expire or the store stops. One instance per model. */
export class MemoryAdapter implements Adapter {
  kept = new Map<string, StoredEntry>()

  async upsert(id: string, payload: AdapterPayload, expiresIn: number) {
    for (const [old, { endsAt }] of this.kept) if (endsAt < Date.now()) this.kept.delete(old)
    this.kept.set(id, { payload, endsAt: Date.now() + expiresIn * 1000 })
  }

  async find(id: string) {
    const found = this.kept.get(id)
    return found && found.endsAt > Date.now() ? found.payload : undefined
  }

  async findByUid(uid: string) {
    return this.where((payload) => payload.uid === uid)
  }

  async findByUserCode(userCode: string) {
    return this.where((payload) => payload.userCode === userCode)
  }

  async consume(id: string) {
    const found = this.kept.get(id)
    if (found) found.payload.consumed = Math.floor(Date.now() / 1000)
  }

  async destroy(id: string) {
    this.kept.delete(id)
  }

  async revokeByGrantId(grantId: string) {
    for (const [id, { payload }] of this.kept) if (payload.grantId === grantId) this.kept.delete(id)
  }

  where(fits: (payload: AdapterPayload) => boolean) {
    return [...this.kept.values()].find(({ payload, endsAt }) => endsAt > Date.now() && fits(payload))?.payload
  }
}
