import net from 'node:net'

/** Before it is handed to the server; done by the server, but the answer never arrives; after the answer was passed on. */
export type CommitPhase = 'before' | 'unanswered' | 'after'

/** A commit that came through, with the statements that it makes lasting. */
export type Commit = { nth: number; statements: string[] }

export type PostgresProxy = {
  /** the database's address, by way of this proxy */
  connectionString: string
  /** the commits since the counting began, oldest first */
  readonly commits: readonly Commit[]
  /** Forgets what was counted and planned. */
  resetCommits(): void
  /**
   * Does something once, at the nth commit from the last `resetCommits` on or at the first that is such. The connection ends there unless
   * the moment is 'after': what was to be committed is undone by the server, or done without anybody having been told.
   */
  interceptCommit(
    which: number | ((commit: Commit) => boolean),
    moment: CommitPhase,
    happens?: (commit: Commit) => void | Promise<void>,
  ): void
  /** how long an answer is kept back before it is passed on */
  delayMs: number
  /** resets whoever connects anew */
  refuseConnections: boolean
  /** Resets every connection at once. */
  resetConnections(): void
  close(): Promise<void>
}

type CommitInterception = { isMeant: (commit: Commit) => boolean; moment: CommitPhase; happens: (commit: Commit) => void | Promise<void> }

/**
 * A proxy before a PostgreSQL without TLS that sees the commits go by, so that a test can break off exactly there. It reads version 3 of
 * the protocol (https://www.postgresql.org/docs/current/protocol-message-formats.html): explicit commits, simple or prepared, and the
 * implicit one of a statement that changes data outside a transaction. A transaction that changed nothing is no commit, nor is what a
 * function changes behind a `select`.
 */
export async function openPostgresProxy(connectionString: string): Promise<PostgresProxy & AsyncDisposable> {
  const target = new URL(connectionString)
  const connections = new Set<{ cut(): void }>()
  let commits: Commit[] = []
  let plan: CommitInterception | undefined

  const house: ProxyTarget = {
    host: target.hostname,
    port: Number(target.port || 5432),
    delayMs: () => proxy.delayMs,
    onCommit(statements) {
      const commit = { nth: commits.length + 1, statements }
      commits.push(commit)
      if (!plan?.isMeant(commit)) return undefined
      const { moment, happens } = plan
      plan = undefined
      return { moment, happens: async () => happens(commit) }
    },
  }

  const server = net.createServer((client) => {
    if (proxy.refuseConnections) return client.resetAndDestroy()
    const connection = { cut: proxyConnection(client, house, () => connections.delete(connection)) }
    connections.add(connection)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const through = new URL(target)
  through.hostname = '127.0.0.1'
  through.port = `${typeof address === 'object' && address ? address.port : 0}`

  const proxy = {
    connectionString: through.href,
    get commits() {
      return commits
    },
    resetCommits() {
      commits = []
      plan = undefined
    },
    interceptCommit(which: number | CommitInterception['isMeant'], moment: CommitPhase, happens: CommitInterception['happens'] = () => {}) {
      plan = { isMeant: typeof which === 'number' ? ({ nth }) => nth === which : which, moment, happens }
    },
    delayMs: 0,
    refuseConnections: false,
    resetConnections() {
      for (const connection of [...connections]) connection.cut()
    },
    async close() {
      proxy.resetConnections()
      await new Promise((closed) => server.close(closed))
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  }
  return proxy
}

type ProxyTarget = {
  host: string
  port: number
  delayMs(): number
  /** Counts a commit that is about to happen. @returns what is planned for it */
  onCommit(statements: string[]): { moment: CommitPhase; happens(): Promise<void> } | undefined
}

/** What a client sends until it waits for an answer: a simple query, or the messages up to a Sync. */
type Request = { messages: Buffer[]; statements: string[] }

/** Passes everything on between one client and the server. @returns cuts both off at once */
function proxyConnection(client: net.Socket, house: ProxyTarget, ended: () => void): () => void {
  const server = net.connect(house.port, house.host)
  const prepared = new Map<string, string>()
  const portals = new Map<string, string>()
  const waiting: Request[] = []
  let started = false
  let request: Request = { messages: [], statements: [] }
  let busy = true // until the server is ready for the first time
  let ready = 'I' // as the server last said: idle, in a transaction (T) or in a failed one (E)
  let changes: string[] = []
  let planned: ReturnType<ProxyTarget['onCommit']>
  let passedOn = Promise.resolve()

  const cut = () => {
    client.resetAndDestroy()
    server.destroy()
    ended()
  }
  for (const socket of [client, server]) {
    socket.setNoDelay(true)
    socket.on('error', cut)
    socket.on('close', cut)
  }

  client.on(
    'data',
    createMessageReader(readFromClient, () => started),
  )
  server.on(
    'data',
    createMessageReader(readFromServer, () => true),
  )
  return cut

  function readFromClient(message: Buffer, type: string, body: Buffer) {
    if (!started) return readStart(message, body)
    if (!'QPBEDCS'.includes(type)) return void server.write(message) // a password, copied rows, the end
    request.messages.push(message)
    const [first = '', second = ''] = readCStrings(body)
    if (type === 'P') prepared.set(first, second)
    if (type === 'B') portals.set(first, prepared.get(second) ?? '')
    if (type === 'E') request.statements.push(portals.get(first) ?? '')
    if (type === 'Q') request.statements.push(...first.split(/;\s*(?=\S)/))
    if (type !== 'Q' && type !== 'S') return
    waiting.push(request)
    request = { messages: [], statements: [] }
    void askNext()
  }

  /** The first message has no type. Nobody encrypts here, and a request to cancel another connection's query goes on as it is. */
  function readStart(message: Buffer, body: Buffer) {
    const code = body.readInt32BE(0)
    if (code === 80877103 || code === 80877104) return void client.write('N') // SSLRequest, GSSENCRequest: then the real start comes
    started = true
    server.write(message)
  }

  /** One request at a time, so that it is known whether a transaction is open when the next one is judged. */
  async function askNext() {
    const next = busy ? undefined : waiting.shift()
    if (!next) return
    busy = true
    const committed = judge(next.statements)
    planned = committed && house.onCommit(committed)
    if (planned?.moment === 'before') {
      await planned.happens()
      return cut()
    }
    for (const message of next.messages) server.write(message)
  }

  /** @returns the statements that this request makes lasting, undefined when it commits nothing */
  function judge(statements: string[]): string[] | undefined {
    if (ready === 'E') return undefined // whatever it is called, it ends in a rollback
    let open = ready === 'T'
    let committed: string[] | undefined
    for (const statement of statements) {
      const words = stripLiterals(statement)
      const ends = /^(commit|end)\b/.test(words)
      if (/^(begin|start transaction)\b/.test(words)) open = true
      else if (ends || /^(rollback|abort)\b(?! to)/.test(words)) {
        if (ends && changes.length > 0) committed = changes
        changes = []
        open = false
      } else if (isDataChange(words)) changes.push(statement)
    }
    if (!open && changes.length > 0) {
      committed = changes
      changes = []
    }
    return committed
  }

  function readFromServer(message: Buffer, type: string, body: Buffer) {
    if (planned?.moment !== 'unanswered') passOn(message)
    if (type !== 'Z') return
    ready = body.toString('latin1', 0, 1)
    if (ready === 'I') changes = []
    void answered()
  }

  async function answered() {
    const { moment, happens } = planned ?? {}
    planned = undefined
    await passedOn
    await happens?.()
    if (moment === 'unanswered') return cut()
    busy = false
    await askNext()
  }

  function passOn(message: Buffer) {
    const due = Date.now() + house.delayMs()
    passedOn = passedOn.then(async () => {
      if (due > Date.now()) await new Promise((wait) => setTimeout(wait, due - Date.now()))
      client.write(message)
    })
  }
}

/** Puts together what comes in pieces: each message has a type (the first of a connection none) and its length, which counts itself. */
function createMessageReader(read: (message: Buffer, type: string, body: Buffer) => void, isTyped: () => boolean) {
  let come: Buffer = Buffer.alloc(0)
  return (piece: Buffer) => {
    come = come.length > 0 ? Buffer.concat([come, piece]) : piece
    for (;;) {
      const head = isTyped() ? 1 : 0
      if (come.length < head + 4) return
      const length = head + come.readInt32BE(head)
      if (come.length < length) return
      const message = come.subarray(0, length)
      come = come.subarray(length)
      read(message, message.toString('latin1', 0, head), message.subarray(head + 4))
    }
  }
}

/** The texts at the beginning of a message, each ended by a zero byte. */
const readCStrings = (body: Buffer): string[] => body.toString('utf8').split('\0', 2)

/** A statement's words without comments, strings and quoted names, in small letters. */
const stripLiterals = (statement: string): string =>
  statement
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\/|\$([a-z_]\w*)?\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"/gi, ' ')
    .trim()
    .toLowerCase()

const isDataChange = (words: string): boolean =>
  /^(insert|update|delete|merge|truncate|copy|create|alter|drop|comment|do)\b/.test(words) ||
  (/^with\b/.test(words) &&
    /\b(insert\s+into|update|delete\s+from|merge\s+into)\b/.test(words.replace(/\bfor\s+(no\s+key\s+)?update\b/g, '')))

/** What a commit does, in a few words, such as `insert orders, update tools`. */
export const summarizeCommit = ({ statements }: Pick<Commit, 'statements'>): string =>
  [
    ...new Set(
      statements.flatMap((statement) =>
        [...statement.matchAll(/(?<!\bfor (?:no key )?)\b(insert into|update|delete from|merge into)\s+(?:"?\w+"?\.)?"?(\w+)/gi)].map(
          ([, verb = '', table]) => `${verb.split(' ')[0]?.toLowerCase()} ${table}`,
        ),
      ),
    ),
  ].join(', ')
