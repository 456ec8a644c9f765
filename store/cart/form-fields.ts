import type { FastifyRequest } from 'fastify'
import type { HttpApp } from '#platform/http.ts'

/** Lets the routes of this scope read what a plain HTML form sends. */
export function acceptFormFields(forms: Pick<HttpApp, 'addContentTypeParser'>): void {
  forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 64 * 1024 }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(`${body}`))),
  )
}

export const fieldsOf = ({ body }: FastifyRequest): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : {}
