import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ErrorCode } from '#shared/error-codes.ts'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type Import, listImports, runImport, showImport } from '#store/imports/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { ButtonLink } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/import'
import { ImportReportView } from './import-report.tsx'
import { ImportUpload } from './import-upload.tsx'
import { pluralize } from './pluralize.ts'
import type { ImportOptions } from './run-import-form.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Import | Nucleus of PC' }]

/** The id of the import is in the URL, so that the admin can leave the page and come back. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const id = new URL(request.url).searchParams.get('id')
  if (id) return { shown: await callApi(showImport, { params: { id } }).catch(rethrowAsNotFound), before: [] }
  return { shown: undefined, before: await callApi(listImports, {}) }
}

const pollIntervalMs = 700
/** As many as leave the description of the file in view. */
const maxRecentImports = 5

export default function ImportScreen({ loaderData: { shown, before } }: Route.ComponentProps) {
  const navigate = useNavigate()
  return (
    <Page
      title="Import"
      lead="Bring products into the catalogue from a file, or change those that are there. Nothing is stored before you have seen what would change."
      wide
    >
      {shown ? (
        <ImportDetails key={shown._id} shown={shown} />
      ) : (
        <ImportUpload onSent={({ _id }) => navigate({ search: `?id=${_id}` })}>
          {before.length > 0 && <RecentImports imports={before.slice(0, maxRecentImports)} />}
        </ImportUpload>
      )}
    </Page>
  )
}

function ImportDetails({ shown }: { shown: Import }) {
  const { at, run, refusal, underWay } = useImport(shown)
  return (
    <>
      <p className="text-lg wrap-anywhere">
        <span className="font-semibold">{at.fileName}</span> <span className="text-soft">sent</span> <DateTime at={at.at} />
      </p>
      {underWay && <ImportProgress at={at} />}
      {refusal && (
        <RefusalNotice refusal={refusal} outcomeUnknown="The import goes on by itself, and this page keeps asking how it stands.">
          Nothing was imported.
        </RefusalNotice>
      )}
      {at.state === 'failed' && (
        <Notice kind="error" title="Nothing was imported" action={<ChooseAnotherFileLink />} ref={focusOnMount}>
          {at.trouble}
        </Notice>
      )}
      {at.state === 'done' && at.report && <ImportDoneNotice report={at.report} stock={at.stock} />}
      {at.report && !underWay && <ImportReportView importRun={at} report={at.report} onRun={run} />}
      {(at.state === 'done' || at.state === 'checked') && (
        <div>
          <ChooseAnotherFileLink />
        </div>
      )}
    </>
  )
}

/** How an import stands, asked again and again while it is under way, and starting it. */
function useImport(shown: Import) {
  const [at, setAt] = useState(shown)
  const {
    submit: run,
    refusal,
    setRefusal,
  } = useSubmit({
    async send(options: ImportOptions) {
      await callApi(runImport, { params: { id: at._id }, body: options }).then(setAt, async (error) => {
        if (!isImportChanged(error)) throw error
        await ask() // the new report says it, too
      })
    },
  })
  const underWay = at.state === 'checking' || at.state === 'importing'

  const ask = useEffectEvent(async () => {
    try {
      setAt(await callApi(showImport, { params: { id: at._id } }))
      setRefusal(undefined)
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal
      setRefusal(refusal)
    }
  })
  useEffect(() => {
    if (!underWay) return
    let timer: ReturnType<typeof setTimeout>
    let left = false
    const waitAndAsk = () => {
      timer = setTimeout(async () => {
        await ask()
        if (!left) waitAndAsk()
      }, pollIntervalMs)
    }
    waitAndAsk()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [underWay])

  return { at, run, refusal, underWay }
}

/** It was started or finished meanwhile, or its file imported, or its rows compared anew: the report on this page is old. */
const isImportChanged = (error: unknown) => error instanceof ApiError && importChangedCodes.has(error.code)
const importChangedCodes: ReadonlySet<ErrorCode | undefined> = new Set([
  'import_not_ready',
  'wrong_rows',
  'stock_choice_required',
  'file_already_imported',
])

const ChooseAnotherFileLink = () => (
  <ButtonLink variant="quiet" to="/dashboard/import">
    Choose another file
  </ButtonLink>
)

/** Progress as text and as a progress bar. */
function ImportProgress({ at }: { at: Import }) {
  const percent = Math.min(100, Math.floor((100 * at.bytesRead) / Math.max(at.bytes, 1)))
  const act = at.state === 'checking' ? 'Checking the file' : percent < 100 ? 'Reading the file again' : 'Writing the products'
  return (
    <div className="flex max-w-form flex-col gap-2">
      <p role="status" className="font-semibold">
        {act}
      </p>
      <progress value={percent} max={100} aria-label={act} className="h-3 w-full accent-leaf" />
      <p className="text-soft">
        <span className="figures">{formatNumber(at.rowsRead)}</span> rows read, <span className="figures">{percent}</span> % of the file.
        You may leave this page and come back: it goes on by itself.
      </p>
    </div>
  )
}

type ImportDoneNoticeProps = { report: NonNullable<Import['report']>; stock: Import['stock'] }

function ImportDoneNotice({ report: { create, update, wrong, setsStock }, stock }: ImportDoneNoticeProps) {
  return (
    <Notice
      kind="success"
      title={`Imported: ${formatNumber(create)} new, ${formatNumber(update)} changed`}
      ref={focusOnMount}
      action={<ButtonLink to="/allproducts">See all products</ButtonLink>}
    >
      {wrong > 0 ? `${pluralize(wrong, 'wrong row was', 'wrong rows were')} left out.` : 'Every row of the file is in the catalogue.'}
      {stock === 'keep' && ' The stock that the file would have set was left as it was, as was chosen.'}
      {stock === 'set' &&
        setsStock > 0 &&
        ` The stock of ${pluralize(setsStock, 'product', 'products')} was set to what the file says, as was chosen.`}
    </Notice>
  )
}

const stateLabels: Record<Import['state'], string> = {
  uploading: 'being sent',
  checking: 'being checked',
  checked: 'checked, not imported',
  importing: 'being imported',
  done: 'imported',
  failed: 'nothing was imported',
}

function RecentImports({ imports }: { imports: Omit<Import, 'report'>[] }) {
  return (
    <section aria-labelledby="before" className="flex flex-col gap-2">
      <h2 id="before" className="text-xl">
        Imports before
      </h2>
      <ul className="flex flex-col gap-2">
        {imports.map(({ _id, fileName, state, at }) => (
          <li key={_id} className="wrap-anywhere">
            <TextLink to={`?id=${_id}`}>{fileName}</TextLink>, <DateTime at={at} />: {stateLabels[state]}
          </li>
        ))}
      </ul>
    </section>
  )
}
