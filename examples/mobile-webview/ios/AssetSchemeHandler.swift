import Foundation
import WebKit

/// Serves the built page from the app's bundle under an origin of its own, `pippin://app`. WebKit treats the origin of such a scheme as a
/// secure context, in which modules, workers, fetch and IndexedDB work. With `loadFileURL` they do not: each file is an origin of its own.
final class AssetSchemeHandler: NSObject, WKURLSchemeHandler {
    static let scheme = "pippin"
    static let host = "app"
    static let page = URL(string: "pippin://app/index.html")!

    private let folder: URL

    /// - Parameter folder: the contents of `examples/mobile-webview/dist`, a folder reference in the bundle.
    init(folder: URL) {
        self.folder = folder.standardizedFileURL
    }

    func webView(_ webView: WKWebView, start task: WKURLSchemeTask) {
        guard let url = task.request.url, let file = file(for: url), let data = try? Data(contentsOf: file, options: .mappedIfSafe) else {
            respond(to: task, status: 404, type: "text/plain", data: Data())
            return
        }
        respond(to: task, status: 200, type: Self.types[file.pathExtension] ?? "application/octet-stream", data: data)
    }

    /// Everything was answered at once.
    func webView(_ webView: WKWebView, stop task: WKURLSchemeTask) {}

    /// The file of a URL; nil where it would lie outside of the folder.
    private func file(for url: URL) -> URL? {
        guard url.scheme == Self.scheme, url.host == Self.host else { return nil }
        let file = folder.appendingPathComponent(url.path).standardizedFileURL
        return file.path.hasPrefix(folder.path + "/") ? file : nil
    }

    /// An HTTPURLResponse, not a URLResponse: fetch looks at the status, and WebAssembly and module scripts at the content type.
    private func respond(to task: WKURLSchemeTask, status: Int, type: String, data: Data) {
        let headers = ["Content-Type": type, "Content-Length": String(data.count), "Cache-Control": "no-cache"]
        let response = HTTPURLResponse(url: task.request.url!, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)!
        task.didReceive(response)
        task.didReceive(data)
        task.didFinish()
    }

    private static let types = [
        "css": "text/css",
        "html": "text/html",
        "js": "text/javascript",
        "svg": "image/svg+xml",
        "wasm": "application/wasm",
    ]
}
