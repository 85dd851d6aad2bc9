import { failedExport, isTooMuchAtOnce } from "./failure";

/** What a file is called, and its media type. */
interface FileKind {
  name: string;
  type: string;
}

interface FilePart extends FileKind {
  text: string;
  /** Where the next part begins; `null`: it is the last one. */
  next: string | null;
}

/** The answer with a file, which the browser saves. */
export function fileAnswer(body: BodyInit, { name, type }: FileKind): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/**
 * The answer with a file that is sent while it is read, so that its size does not matter.
 * @param read reads the first part, or the one that begins at `after`.
 * @param sentence what is answered where the file cannot be read now.
 */
export async function fileInParts(read: (after?: string) => Promise<FilePart>, sentence: string): Promise<Response> {
  try {
    // The first part shows whether the file can be read, before the status is sent.
    let part = await read();
    const encoder = new TextEncoder();
    let isWanted = true;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(encoder.encode(part.text));
        const { next } = part;
        if (next === null) return controller.close();
        part = await onTurn(
          () => read(next),
          () => isWanted,
        );
      },
      cancel() {
        isWanted = false;
      },
    });
    return fileAnswer(body, part);
  } catch (error) {
    return failedExport(error, sentence);
  }
}

/** Reads a further part of a file. A file that has begun is finished, so it waits for its turn as long as somebody wants it. */
async function onTurn<Part>(read: () => Promise<Part>, isWanted: () => boolean): Promise<Part> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isTooMuchAtOnce(error) || !isWanted()) throw error;
    }
  }
}
