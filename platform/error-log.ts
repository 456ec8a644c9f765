import type { FastifyBaseLogger, FastifyError, FastifyServerOptions } from 'fastify'
import type { HttpError } from './http-error.ts'

/* How errors are logged: without the values of queries, and the same one at most once per second. */

/** @param stream receives the log lines instead of standard output */
export function createLoggerOptions(level: string, stream: { write(line: string): void } | undefined) {
  const filterLateReply = createLateReplyLogFilter()
  return {
    level,
    serializers: { err: serializeErrorForLog },
    hooks: {
      logMethod(line, write) {
        if (!isLateReply(line)) return write.apply(this, line)
        const omitted = filterLateReply()
        if (omitted === undefined) return
        if (omitted === 0) return write.apply(this, line)
        const [entry, message] = line
        write.call(this, Object.assign({ omitted }, entry), message)
      },
    },
    ...(stream && { stream }),
  } satisfies FastifyServerOptions['logger']
}

/**
 * Serializes an error for the log, without the parameters of a failed query: they include access tokens, names and addresses.
 * Any thrown value is passed here, so it may have no message.
 */
function serializeErrorForLog(error: FastifyError) {
  const { name, code, message, stack = '', cause } = error
  const cut = (text = '') => text.replace(/\nparams:[^\n]*/g, '')
  return { type: name, code, message: cut(message), stack: cut(stack), ...(cause instanceof Error && { cause: cut(cause.message) }) }
}

/**
 * Handlers keep running after a response timeout, and Fastify logs each late reply, with the error if there was one: logged at most once per
 * second.
 * @returns a function that returns how many late replies were left out since the last one that was logged, or undefined to leave out this one
 */
function createLateReplyLogFilter() {
  let silentUntil = 0
  let omitted = 0
  return (): number | undefined => {
    if (Date.now() < silentUntil) {
      omitted++
      return undefined
    }
    silentUntil = Date.now() + 1000
    const count = omitted
    omitted = 0
    return count
  }
}

/** Fastify's two messages for a handler that returns or throws after the response was sent. Only the first has an error code of its own. */
function isLateReply([entry, message]: readonly unknown[]): boolean {
  if (message === 'Promise errored, but reply.sent = true was set') return true
  const error = entry instanceof Object && 'err' in entry ? entry.err : undefined
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_REP_ALREADY_SENT'
}

/** While the database is unreachable, all requests fail with the same message: it is logged at most once per second. */
export function warnOncePerSecond() {
  const silentUntil = new Map<string, number>()
  return (error: HttpError, log: FastifyBaseLogger) => {
    if (Date.now() < (silentUntil.get(error.message) ?? 0)) return
    silentUntil.set(error.message, Date.now() + 1000)
    log.warn({ err: error.cause instanceof Error ? error.cause : error }, error.message)
  }
}
