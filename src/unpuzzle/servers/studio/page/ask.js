// Questions to the server, and small helpers of the page.
export const $ = (id) => document.getElementById(id);
export const windowName = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Ask the server; the answer as data, with `status`. What is wrong is in `error`.
export async function ask(name, data = {}, signal) {
  try {
    const response = await fetch(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ window: windowName, ...data }), signal });
    if (response.headers.get("Content-Type") === "application/octet-stream") return { status: 200, blob: await response.blob(), name: response.headers.get("X-Name") };
    return { ...(await response.json()), status: response.status };
  } catch (error) {
    return { error: error.name === "AbortError" ? "" : "The studio does not answer.", status: 0 };
  }
}

export function made(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

export const pictureUrl = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = made("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
