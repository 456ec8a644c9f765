import { type ReactNode, useId } from 'react'
import type { ErrorCode } from '#shared/error-codes.ts'
import { loginUrlReturningTo } from '#store/identity/screens/return-url.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { SkeletonBlock } from '#web/skeleton.tsx'
import type { ApiQueryState } from './use-api-query.ts'

type OverviewSectionProps<Answer> = {
  title: string
  /** subject of the error message; defaults to the title */
  failureSubject?: string
  query: ApiQueryState<Answer>
  /** displayed until the first response, of the same size as the content */
  skeleton: ReactNode
  /** displayed beside the title */
  aside?: ReactNode
  children: (answer: Answer) => ReactNode
}

/** A section of the overview that loads, and fails, independently. */
export function OverviewSection<Answer extends { asOf: string }>({
  title,
  failureSubject = title,
  query,
  skeleton,
  aside,
  children,
}: OverviewSectionProps<Answer>) {
  const id = useId()
  const { data, error, isLoading, reload } = query
  return (
    <Panel as="section" aria-labelledby={id} aria-busy={isLoading} className="flex flex-col gap-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          <AsOf title={title} query={query} />
        </div>
        {aside}
      </div>
      {error && (
        <Notice
          kind="error"
          title={`${failureSubject} could not be loaded`}
          action={<RetryAction code={error.code} busy={isLoading} reload={reload} />}
        >
          {error.message}
        </Notice>
      )}
      {data ? (
        <div className={`flex flex-col gap-6 transition-opacity delay-200 ${isLoading ? 'opacity-60' : ''}`}>{children(data)}</div>
      ) : (
        !error && skeleton
      )}
    </Panel>
  )
}

/** Timestamp of the data with a reload button. A skeleton reserves its space while loading. */
function AsOf<Answer extends { asOf: string }>({
  title,
  query: { data, error, isLoading, reload },
}: {
  title: string
  query: ApiQueryState<Answer>
}) {
  if (!data && error) return null
  if (!data) return <SkeletonBlock className="h-11 w-64 pointer-fine:h-8" />
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span>
        As of <DateTime at={data.asOf} />
      </span>
      <Button dense variant="quiet" onClick={reload} busy={isLoading} aria-label={`Look again, ${title}`}>
        Look again
      </Button>
    </p>
  )
}

function RetryAction({ code, busy, reload }: { code: ErrorCode | undefined; busy: boolean; reload: () => void }) {
  if (code === 'not_signed_in' || code === 'forbidden')
    return (
      <ButtonLink variant="quiet" to={loginUrlReturningTo(location.href)}>
        Sign in and go on
      </ButtonLink>
    )
  return (
    <Button variant="quiet" onClick={reload} busy={busy} busyLabel="Trying again">
      Try again
    </Button>
  )
}
