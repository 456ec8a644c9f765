import { type ReactNode, useId } from 'react'
import { loginFrom } from '#store/identity/screens/way-back.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { Blank } from '#web/skeleton.tsx'
import { When } from '#web/when.tsx'
import type { Asked } from './use-answer.ts'

type PartProps<Answer> = {
  title: string
  /** what could not be loaded, as a sentence begins with it; the title without it */
  what?: string
  asked: Asked<Answer>
  /** stands in its place, and is as large, until the first answer is here */
  skeleton: ReactNode
  /** beside the title */
  aside?: ReactNode
  children: (answer: Answer) => ReactNode
}

/** A part of the overview that loads, and fails, by itself. */
export function Part<Answer extends { asOf: string }>({ title, what = title, asked, skeleton, aside, children }: PartProps<Answer>) {
  const id = useId()
  const { answer, refusal, busy, again } = asked
  return (
    <Panel as="section" aria-labelledby={id} aria-busy={busy} className="flex flex-col gap-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          <AsOf title={title} asked={asked} />
        </div>
        {aside}
      </div>
      {refusal && (
        <Notice kind="error" title={`${what} could not be loaded`} action={<Remedy status={refusal.status} busy={busy} again={again} />}>
          {refusal.message}
        </Notice>
      )}
      {answer ? (
        <div className={`flex flex-col gap-6 transition-opacity delay-200 ${busy ? 'opacity-60' : ''}`}>{children(answer)}</div>
      ) : (
        !refusal && skeleton
      )}
    </Panel>
  )
}

/** Of when the figures are, and the way to newer ones. Its room is kept until they are here. */
function AsOf<Answer extends { asOf: string }>({
  title,
  asked: { answer, refusal, busy, again },
}: {
  title: string
  asked: Asked<Answer>
}) {
  if (!answer && refusal) return null
  if (!answer) return <Blank className="h-11 w-64 pointer-fine:h-8" />
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span>
        As of <When at={answer.asOf} />
      </span>
      <Button dense look="quiet" onClick={again} busy={busy} aria-label={`Look again, ${title}`}>
        Look again
      </Button>
    </p>
  )
}

function Remedy({ status, busy, again }: { status: number; busy: boolean; again: () => void }) {
  if (status === 401 || status === 403)
    return (
      <ButtonLink look="quiet" to={loginFrom(location.href)}>
        Sign in and go on
      </ButtonLink>
    )
  return (
    <Button look="quiet" onClick={again} busy={busy} busyWords="Trying again">
      Try again
    </Button>
  )
}
