import Foundation
import WebKit

/// The bytes that are read at a time.
private let pieceSize = 1 << 20

/// Serves the built page from the app's bundle under an origin of its own, `pippin://app`. WebKit treats the origin of such a scheme as a
/// secure context, in which modules, workers, fetch and IndexedDB work. With `loadFileURL` they do not: each file is an origin of its own.
final class AssetSchemeHandler: NSObject, WKURLSchemeHandler {
    static let scheme = "pippin"
    static let host = "app"
    static let page = URL(string: "pippin://app/index.html")!

    private let folder: URL
    /// Where files are read, since a slow read must not hold up the app. Each piece is freed when it was handed over.
    private let queue = DispatchQueue(label: "pippin.assets", qos: .userInitiated, autoreleaseFrequency: .workItem)
    /// The tasks that are under way and that WebKit has not stopped. Used on the main thread alone, as the tasks are.
    private var live: Set<ObjectIdentifier> = []

    /// - Parameter folder: the contents of `examples/mobile-webview/dist`, a folder reference in the bundle.
    init(folder: URL) {
        self.folder = folder.standardizedFileURL
    }

    func webView(_ webView: WKWebView, start task: WKURLSchemeTask) {
        guard let url = task.request.url else {
            task.didFailWithError(URLError(.badURL))
            return
        }
        guard let file = self.file(for: url), let size = self.size(of: file), let handle = try? FileHandle(forReadingFrom: file) else {
            task.didReceive(response(to: url, status: 404, type: "text/plain", size: 0))
            task.didFinish()
            return
        }
        live.insert(ObjectIdentifier(task))
        task.didReceive(response(to: url, status: 200, type: Self.types[file.pathExtension] ?? "application/octet-stream", size: size))
        sendNext(of: handle, to: task)
    }

    func webView(_ webView: WKWebView, stop task: WKURLSchemeTask) {
        live.remove(ObjectIdentifier(task))
    }

    /// Reads a piece on the queue and hands it over on the main thread. The next one is read after that: a key is never in memory as a whole.
    private func sendNext(of handle: FileHandle, to task: WKURLSchemeTask) {
        queue.async {
            let piece = Result { try handle.read(upToCount: pieceSize) }
            DispatchQueue.main.async { self.send(piece, of: handle, to: task) }
        }
    }

    /// Any call on a task that was stopped raises an exception, which ends the app.
    private func send(_ piece: Result<Data?, Error>, of handle: FileHandle, to task: WKURLSchemeTask) {
        guard live.contains(ObjectIdentifier(task)) else { return }
        switch piece {
        case .success(let data?) where !data.isEmpty:
            task.didReceive(data)
            sendNext(of: handle, to: task)
        case .success:
            live.remove(ObjectIdentifier(task))
            task.didFinish()
        case .failure(let error):
            live.remove(ObjectIdentifier(task))
            task.didFailWithError(error)
        }
    }

    /// The bytes of a file; nil for a folder, or where there is nothing.
    private func size(of file: URL) -> Int? {
        guard let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]), values.isRegularFile == true else { return nil }
        return values.fileSize
    }

    /// The file of a URL; nil where it would lie outside of the folder.
    private func file(for url: URL) -> URL? {
        guard url.scheme == Self.scheme, url.host == Self.host else { return nil }
        let file = folder.appendingPathComponent(url.path).standardizedFileURL
        return file.path.hasPrefix(folder.path + "/") ? file : nil
    }

    /// An HTTPURLResponse, not a URLResponse: fetch looks at the status, and WebAssembly and module scripts at the content type.
    private func response(to url: URL, status: Int, type: String, size: Int) -> HTTPURLResponse {
        let headers = ["Content-Type": type, "Content-Length": String(size), "Cache-Control": "no-cache"]
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)!
    }

    private static let types = [
        "css": "text/css",
        "html": "text/html",
        "js": "text/javascript",
        "svg": "image/svg+xml",
        "wasm": "application/wasm",
    ]
}
